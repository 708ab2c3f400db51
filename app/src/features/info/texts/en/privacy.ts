// The privacy policy, in English: what this software really does.
import type { InfoText } from '#/features/info/info-text.ts';

export const text: InfoText = {
  title: 'Privacy policy',
  lead: 'In short: we keep what the app needs to work, show your place to friends only, forget your visits after 90 days, and sell nothing to anybody.',
  sections: [
    {
      id: 'who',
      heading: 'Who is responsible',
      body: [
        'This copy of Packpark runs at {site}. The people who run it decide what happens to the data on it, and answer at {contact}.',
      ],
    },
    {
      id: 'age',
      heading: 'Age',
      body: [
        'Packpark is for people aged 13 and over, and 16 and over where the law of their country asks for it. We keep only the confirmation that the rule is met, never your date of birth. If we learn of a younger child’s account, we delete it.',
      ],
    },
    {
      id: 'visitors',
      heading: 'Without an account',
      body: [
        'You can look at the map, the list and the parks without telling us who you are. Your language, your theme and the like are kept on your device, not with us.',
        'Where you are is used on your device to centre the map and, while the app is open, to offer a check-in at the park you are at; your device remembers for four hours that it asked. To show the weather, our server is asked for the area around you, and to find an address, for the words you typed or the point you picked. Neither is stored together with anything that says who you are.',
        'So that nobody collects names with our search, we count how often it is used from an address on the network: under a hash of the address, for two days at most.',
      ],
    },
    {
      id: 'account',
      heading: 'With an account',
      body: [
        'We keep what you give us:',
        [
          'Your email address and name. Your password only as a slow, salted hash that cannot be turned back. If you come through Google or Apple: the name and email that they pass on.',
          'Your dogs, with the photos you upload. The place and camera data hidden in photos is removed before they are stored.',
          'Check-ins: park, number of dogs, from when to when; and whether you were still far away.',
          'Reviews, reports of conditions and hazards, favourite parks, photos that you reported, and parks, corrections and answers that you gave.',
          'Where two parks that you had reviewed turned out to be one: the review that is yours no more, the older or the anonymous one. Only you find it, in the file of your data; an anonymous one is still shown to others, as nobody’s, for up to 30 days.',
          'Friendships, friend requests, invitations, people you blocked, and notifications. If you make an address for your calendar app: a fingerprint of it, and which of your meetings were called off, until their time has passed.',
          'Your settings; for each login its times and which browser or app it came from, so that you recognise your devices; and where you turned on pushes, the address at which your device receives them, and its time zone.',
        ],
      ],
    },
    {
      id: 'place',
      heading: 'Your place at a check-in',
      body: [
        'If you let this app know where you are, it tells our server your place once, with the check-in. There it is compared with the place of the park, and forgotten at once: we store it nowhere, not even in logs. If you are far away, we note that you plan to come, and nobody else sees that. A check-in that waited for a network carries no place.',
        'Without this permission you check in just the same, and the app does not ask for it here.',
        'So that nobody makes a park look busy, bad or closed that is not, what somebody says counts more after visits on several days. Only the visits themselves are used for that. We also count how often you do such things, and how often towards one person: for two days at most, and without writing down who that person is.',
      ],
    },
    {
      id: 'seen',
      heading: 'Who sees what',
      body: [
        [
          'Everybody: how many dogs and people are at a park, busy hours, conditions, reviews, and the names and dogs found in the search.',
          'People who are logged in: your page with your dogs, your dog’s photo beside your name, and the language, the theme and the start of your account, unless you hide yourself. Then only friends, and those you sent a request, see it.',
          'Your friends: that you are at a park now, and with which dogs. Nobody can read where you were before.',
          'Nobody: who reported or confirmed a hazard, who corrected or answered something about a park, who wrote an anonymous review, at which hour anybody wrote one, and whether you declined somebody’s request. Whom you blocked is shown to you alone.',
        ],
      ],
    },
    {
      id: 'how-long',
      heading: 'For how long',
      body: [
        [
          'Visits: 90 days. After that only anonymous counts by the hour are left, which feed the busy hours, and those for half a year.',
          'Live reports, hazards, answers about a park and invitations: 90 days. Notifications: one year.',
          'Live reports and confirmations of a deleted account: they lose their link to it at once, and stay until their time is over, so that nobody sees whose they were.',
          'Anonymous reviews of a deleted account: they lose their link to it at once, and are deleted at a random moment within 30 days. Otherwise the moment at which they vanish would tell who wrote them.',
          'Decisions of moderators about you or about what you gave: one year; copies of what they changed: 30 days. Both go with your account. A log of what moderators did stays, and names nobody any more then.',
          'If you delete your account while your posting is paused or the account is suspended or closed: the measure with its reason, and a fingerprint of your email address, so that it also holds for a new account with that address. Until the measure ends, and for one year at most.',
          'Everything else: until you delete it or your account. Copies in backups go when the backups do.',
          'Technical logs: without names, email addresses or places.',
        ],
      ],
    },
    {
      id: 'others',
      heading: 'Who else is involved',
      body: [
        'No advertising network, no analytics service, no social plugin. There are no tracking cookies; what the app stores on your device is what it needs to work.',
        [
          'The pictures of the map come from a tile service (OpenStreetMap unless the operator chose another). As with any picture on the web, it learns your IP address and which area you look at. Where this site has a map of its own, nobody else is asked; what you keep of it on your device stays there until you delete it or, if you want, log out.',
          'Weather and addresses are asked for by our server, not by your device, so those services do not learn who you are.',
          'Pushes travel through the push service of your phone or browser (Google, Apple and others). Those to browsers are encrypted so that the service cannot read them.',
          'Directions open in the app that you choose; from there its rules apply.',
        ],
      ],
    },
    {
      id: 'rights',
      heading: 'Your rights',
      body: [
        'You can see and change what you gave us at any time. In the settings of your profile you can take all of it along as one file, hide yourself, choose which notifications you get, and [delete your account](/delete-account).',
        'You can also ask for any of this by mail to {contact}, and complain to the data protection authority of your country.',
      ],
    },
    {
      id: 'security',
      heading: 'How it is protected',
      body: [
        'Connections are encrypted. Who may read what is decided in the database itself, row by row. You can add two-step verification to your login. If something goes wrong in spite of that and concerns you, we tell you.',
      ],
    },
    {
      id: 'changes',
      heading: 'Changes',
      body: [
        'If this policy changes in something that matters, the app tells you before the change takes effect.',
      ],
    },
  ],
};
