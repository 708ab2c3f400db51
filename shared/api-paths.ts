// Paths of the API, which accept requests from any origin and are never pages of the app.
export const API = /^\/(rest|auth|storage|functions|realtime|graphql)\/v1(\/|$)/;
