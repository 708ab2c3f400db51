// The type of a notification, and the screen it opens.
import { notificationTarget } from '../../../../shared/notification-target.ts';
import type { NotificationType } from '../../../../shared/enums.ts';

export interface AppNotification {
  id: string;
  type: NotificationType;
  sender_id: string | null;
  title: string;
  /** Composed by the server in the recipient's language. */
  app_message: string;
  read_at: string | null;
  seen_at: string | null;
  created_at: string;
  /** `accepted` is the response, once there is one. */
  data: {
    park_id?: number;
    invite_id?: string;
    meet_at?: string;
    accepted?: boolean;
    owner_id?: string;
    dog_id?: string;
    lost_id?: string;
  };
  sender: { id: string; name: string; picture: string | null } | null;
}

/** Maximum number in the cache. */
export const MAX_CACHED = 200;

export const targetOf = ({ type, sender_id, data }: AppNotification): string | null =>
  notificationTarget({ ...data, type, sender_id });
