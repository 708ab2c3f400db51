// How to delete an account, in English; public, so that it can be read without one.
import type { InfoText } from '#/features/info/info-text.ts';

export const text: InfoText = {
  title: 'Delete your account',
  lead: 'It takes a minute, and it cannot be undone.',
  sections: [
    {
      id: 'how',
      heading: 'How to do it',
      body: [
        [
          '[Log in](/login) and open your profile.',
          'Open Settings, and go down to ‘Your data’.',
          'If you like, take a copy along first: ‘Export my data’.',
          'Choose ‘Delete account’ and confirm.',
        ],
        'You cannot log in any more? Write to {contact} from the email address of the account, and we will do it for you within 30 days.',
      ],
    },
    {
      id: 'goes',
      heading: 'What goes, at once',
      body: [
        [
          'Your account, name, email address, settings and all logins.',
          'Your dogs and all photos that you uploaded.',
          'Your check-ins, reviews under your name, live reports, favourites and suggestions.',
          'Friendships, requests, invitations, blocks and notifications.',
          'Parks that you submitted and that were not approved yet.',
        ],
      ],
    },
    {
      id: 'stays',
      heading: 'What stays',
      body: [
        [
          'Parks that you added and that were approved: they belong to everybody now. Nothing says that they came from you.',
          'Anonymous reviews, for up to 30 days: nothing links them to you any more, and each is deleted at a random moment, so that nobody learns from its end who wrote it. If you want one gone at once, delete it before your account.',
          'Anonymous counts by the hour, in which nobody can be recognised.',
          'While your posting is paused, or your account suspended or closed: that, with its reason and a fingerprint of your email address, until it ends, and for one year at most. It also holds for a new account with that address.',
          'Backups, until they are replaced by newer ones. They are not used for anything else.',
        ],
      ],
    },
  ],
};
