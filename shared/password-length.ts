// The most characters of a password, for the fields of the app and for the server alike: one cut in one place only would open no door.
export const MAX_PASSWORD_LENGTH = 256;
