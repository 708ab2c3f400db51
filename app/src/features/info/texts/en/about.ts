// What Packpark is, in English.
import type { InfoText } from '#/features/info/info-text.ts';

export const text: InfoText = {
  title: 'About Packpark',
  lead: 'A map of dog parks that knows how busy it is right now. For dogs, the people at the other end of the leash, and their friends.',
  sections: [
    {
      id: 'what',
      heading: 'What you can do here',
      body: [
        [
          'Find dog parks on the map or in the list, with their size, ground, shade, facilities and photos.',
          'See how many dogs are there now, when it is usually quiet, and what others report: mud, a closed gate, a poison bait.',
          'Check in when you arrive and out when you leave. You say how long you plan to stay; after that you are checked out automatically.',
          'Keep a profile for each of your dogs, make friends, see when friends are at the park, and arrange to meet there.',
          'Rank and review parks, with your name or without it.',
          'Add a park that is missing.',
        ],
      ],
    },
    {
      id: 'privacy',
      heading: 'Your place is nobody else’s business',
      body: [
        'Everybody sees how many dogs are at a park. Only your friends see that one of them is yours. If you hide yourself, you are only counted.',
        'There are no trackers here and no advertisements. The [privacy policy](/privacy-policy) says what is kept, and for how long.',
      ],
    },
    {
      id: 'data',
      heading: 'Where the data comes from',
      body: [
        'Parks come from the people who use this site and from open data. What comes from OpenStreetMap is © OpenStreetMap contributors, under the Open Database Licence (ODbL). The weather comes from Open-Meteo under CC BY 4.0.',
      ],
    },
    {
      id: 'open',
      heading: 'Open and self-hosted',
      body: [
        'Packpark is free software under the MIT licence. Anybody can run it for their city; this site is run by those who answer at {contact}.',
      ],
    },
    {
      id: 'contact',
      heading: 'Talk to us',
      body: [
        'A wrong park, an unkind review, a thought, a thank-you: {contact}. If something here is hard to use for you, please read the [accessibility statement](/accessibility) and write to us.',
      ],
    },
  ],
};
