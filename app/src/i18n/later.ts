// The texts that neither the home map nor anything on it shows: other screens fetch them.
export const LATER =
  /^(?:account|diaries|lostDogs|parkInvites|notifications\.settings|auth\.(?:updatePassword|emailCallback|secondFactor|mail|login|captcha|provider|arrival)|parks\.(?:new|shareLanding|contributions|visitors|notices)|dogs\.now|dogPeople|users(?!\.page))\./;
