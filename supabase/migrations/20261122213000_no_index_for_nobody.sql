-- What waits is found by private.waiting_photos; nothing reads pending photos by their day any more.

-- contributions.sql
drop index public.park_photos_pending;
