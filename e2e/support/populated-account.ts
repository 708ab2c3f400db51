// An account with data: dogs with photos, friends, requests, blocks, reviews, invites, so no screen is empty.
import { randomUUID } from 'node:crypto';
import { picture } from './fixtures.ts';
import type { Language, TestUser, Site } from './test.ts';

export interface Wording {
  name: string;
  title: string;
  text: string;
}

export const WORDING: Record<Language, Wording> = {
  en: { name: 'Bamba', title: 'Good water', text: 'Runs first, thinks later' },
  he: { name: 'במבה', title: 'מים טובים', text: 'קודם רצה, אחר כך חושבת' },
  ar: { name: 'بمبا', title: 'ماء جيّد', text: 'تركض أوّلًا ثم تفكّر' },
};

export interface PopulatedAccount {
  me: TestUser;
  friend: TestUser;
  stranger: TestUser;
  dogId: string;
  parkId: number;
}

/** @param words text for all names and posts, for example in the screens' language, or too long */
export async function createPopulatedAccount(
  site: Site,
  language: Language,
  words = WORDING[language],
  parkId = 12,
): Promise<PopulatedAccount> {
  const [me, friend, asking, asked, blocked, stranger] = await Promise.all(
    Array.from({ length: 6 }, () => site.user(words.name)),
  );
  if (!me || !friend || !asking || !asked || !blocked || !stranger) throw new Error('Nobody came');
  await me.client.from('users').update({ language, theme: 'light' }).eq('id', me.id);
  const tags = words.text.slice(0, 40);
  const dogIds = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  for (const [index, owner] of [me, me, friend, asking].entries())
    await orFail(
      owner.client.from('dogs').insert({
        id: dogIds[index] ?? '',
        name: words.name.slice(0, 60),
        breed: index === 1 ? 'mixed' : 'canaan_dog',
        gender: index === 1 ? 'MALE' : 'FEMALE',
        birthday: index === 1 ? '2024-09-01' : '2022-05-04',
        size: 'MEDIUM',
        energy: 'HIGH',
        possessive: true,
        temperament: words.text,
        likes: `${tags}, ${tags.slice(0, 12)}`,
        dislikes: tags,
        description: words.text,
      }),
    );
  const dogId = dogIds[0] ?? '';
  for (const place of ['primary/primary-1', 'other/2'])
    await orFail(
      me.client.storage
        .from('users')
        .upload(`${me.id}/dogs/${dogId}/${place}-${randomUUID()}.webp`, await picture('webp'), {
          contentType: 'image/webp',
        }),
    );

  for (const from of [friend, asking])
    await orFail(from.client.rpc('send_friend_request', { p_user_id: me.id }));
  await orFail(me.client.rpc('accept_friend_request', { p_user_id: friend.id }));
  await orFail(me.client.rpc('send_friend_request', { p_user_id: asked.id }));
  await orFail(me.client.rpc('block_user', { p_user_id: blocked.id }));
  const meetAt = new Date(Date.now() + 26 * 3_600_000).toISOString();
  await orFail(
    friend.client.rpc('invite_to_park', {
      p_park_id: parkId,
      p_friend_ids: [me.id],
      p_meet_at: meetAt,
    }),
  );
  for (const user of [me, friend]) {
    await orFail(user.client.rpc('accept_terms', { p_licence: true }));
    await orFail(user.client.from('favourite_parks').insert({ park_id: parkId }));
    await orFail(
      user.client.rpc('save_review', {
        p_park_id: parkId,
        p_title: words.title.slice(0, 120),
        p_content: words.text,
        p_rank: 4,
      }),
    );
  }
  await orFail(friend.client.rpc('report_condition', { p_park_id: parkId, p_condition: 'muddy' }));
  // Three users with described dogs, because fewer would not be shown.
  for (const [user, dog] of [
    [friend, dogIds[2]],
    [me, dogIds[0]],
    [asking, dogIds[3]],
  ] as const)
    await orFail(user.client.rpc('check_in', { p_park_id: parkId, p_dog_ids: [dog ?? ''] }));
  const { data: visit } = await me.client.rpc('my_check_in');
  const ofVisit = { p_visit_id: visit?.[0]?.check_in_id ?? '', p_dog_id: dogId };
  const { data: photo } = await me.client.rpc('add_visit_photo', ofVisit);
  await orFail(
    me.client.storage
      .from('visit-photos')
      .upload(photo ?? '', await picture('webp'), { contentType: 'image/webp' }),
  );
  await orFail(
    me.client.rpc('set_visit_photo', {
      p_photo_id: photo ?? '',
      p_shows_visit: true,
      p_is_kept: false,
    }),
  );
  return { me, friend, stranger, dogId, parkId };
}

async function orFail(answer: PromiseLike<{ error: unknown }>): Promise<void> {
  const { error } = await answer;
  if (error) throw error as Error;
}
