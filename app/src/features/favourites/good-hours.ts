// The hours in which the user can be notified of a good time at a park.

/** Hours of the day in the parks' time zone. */
export interface GoodHours {
  from: number;
  to: number;
}

/** The limits of the database column, which excludes the night. */
export const DAY: GoodHours = { from: 5, to: 23 };
