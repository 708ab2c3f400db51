-- With which browser or app a session began, as on the platform: people recognise their devices by it.

alter table auth.sessions add column user_agent text;
