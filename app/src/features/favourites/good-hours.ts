// The hours in which a park can be good to go to.

/** Hours of the day in the parks' time zone. */
export interface GoodHours {
  from: number;
  to: number;
}

/** The bounds of the column: no hour of the night is good. */
export const DAY: GoodHours = { from: 5, to: 23 };
