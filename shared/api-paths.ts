// The paths of the API, which any page may ask and which are never pages of the app.
export const API = /^\/(rest|auth|storage|functions|realtime|graphql)\/v1(\/|$)/;
