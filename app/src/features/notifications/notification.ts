// The notification type, and the screen that a notification opens.
import { notificationTarget } from '../../../../shared/notification-target.ts';
import type { NotificationType } from '../../../../shared/enums.ts';

export interface AppNotification {
  id: string;
  type: NotificationType;
  sender_id: string | null;
  title: string;
  /** The message in the recipient's language, composed by the server. */
  app_message: string;
  read_at: string | null;
  seen_at: string | null;
  created_at: string;
  /** `accepted` is the user's response, if any. */
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

/** Maximum number of notifications in the cache. */
export const MAX_CACHED = 200;

export const targetOf = ({ type, sender_id, data }: AppNotification): string | null =>
  notificationTarget({ ...data, type, sender_id });
