// Messages that the home map does not need; other screens load them.
export const LAZY =
  /^(?:account|checkIns\.onMyWay|diaries|friendCodes|lostDogs|parkInvites|favourites\.goodTime|notifications\.settings|auth\.(?:confirm|updatePassword|emailCallback|secondFactor|mail|login|captcha|provider|arrival)|parks\.(?:new|shareLanding|contributions|visitors|notices|clock\.key|paws|suggest|company|removed|listed)|dogs\.(?:now|form|photos|age|size|energy)|reviews\.(?:list|card|summary|delete)|friendships\.(?:button|unfriend)|places\.picker|info\.goodbye|dogCarers|users(?!\.page)|visitPhotos)\./;
