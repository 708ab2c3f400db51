// The terms of use, in English.
import type { InfoText } from '#/features/info/info-text.ts';

export const text: InfoText = {
  title: 'Terms of use',
  lead: 'Be as good to each other as your dogs are. The rest is detail, and stands here.',
  sections: [
    {
      id: 'who',
      heading: 'Who may use it',
      body: [
        'Anybody may look. An account is for people aged 13 and over, and 16 and over where the law of their country asks for it. One account belongs to one person; keep your password to yourself.',
      ],
    },
    {
      id: 'content',
      heading: 'What you post',
      body: [
        'What you write and upload stays yours. You allow us to show it in the app for as long as it is there. Post only what you may post, and nothing that shows other people against their will.',
        'Not allowed:',
        [
          'Insults, threats, hate, harassment, and anything that glorifies cruelty to animals.',
          'Spam, advertising, and invented reviews.',
          'Other people’s personal details, and in a report of a hazard who, or whose dog, it is about.',
          'Anything against the law.',
        ],
      ],
    },
    {
      id: 'open-data',
      heading: 'Facts about parks are open',
      body: [
        'Facts that you contribute about parks (names, addresses, places, hours, details, answers to our questions) are published under the [Open Database License (ODbL)](https://opendatacommons.org/licenses/odbl/), as those of OpenStreetMap are. You agree to that before your first one. What you gave before these terms said so stays out of anything that we publish as open data until you agree.',
        'Reviews, photos and reports of hazards are not part of it. Whoever contributed a fact is not named.',
      ],
    },
    {
      id: 'moderation',
      heading: 'Reports and moderation',
      body: [
        'Every review and every person can be reported, and every person can be blocked. People look at the reports. They may hide content and suspend accounts; if you think that they are wrong, write to {contact}.',
        'New parks, details and photos are looked at before others see them.',
      ],
    },
    {
      id: 'parks',
      heading: 'At the park',
      body: [
        'Numbers, conditions and ‘Good time to go now’ are what people report and what we work out from it. They can be wrong. You are responsible for your dog and for keeping the rules of the place; in an emergency call the emergency services, not us.',
      ],
    },
    {
      id: 'fair',
      heading: 'Fair use',
      body: [
        'Do not try to read what is not meant for you, to follow people, to overload the service, or to copy personal data out of it.',
      ],
    },
    {
      id: 'liability',
      heading: 'No guarantee',
      body: [
        'The service is offered as it is, free of charge, and may change or stop. As far as the law allows, we are liable only for damage that we cause on purpose or by gross negligence. Rights that the law gives you as a consumer stay untouched.',
      ],
    },
    {
      id: 'end',
      heading: 'Leaving',
      body: [
        'You can [delete your account](/delete-account) at any time, without giving a reason. Who breaks these terms badly can be excluded.',
      ],
    },
  ],
};
