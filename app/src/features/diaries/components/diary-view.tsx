// The pack diary: a stamp for each park, and the settings of its storage.
import { Link } from '@tanstack/react-router';
import { PawPrint, Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { saveInDiary, useDiary } from '#/features/diaries/queries/diary.ts';
import { type Stamp, stampsOf } from '#/features/diaries/stamps.ts';
import { DAY } from '#/i18n/day-format.ts';
import { useLanguage, useLocale, useT } from '#/i18n/i18n.ts';
import { type Language, LANGUAGES } from '#/i18n/languages.ts';
import { LIST } from '#/i18n/list-format.ts';
import { cachedParkName } from '#/entities/parks/cached-park-name.ts';
import type { Diary } from '#/entities/diary/diary.ts';
import { shareImage } from '#/platform/save-file.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { Switch } from '#/ui/checkbox.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Icon } from '#/ui/icon.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { useAnnounce } from '#/ui/announcements.ts';
import { showError } from '#/ui/toast.ts';
import styles from './diary-view.module.css';

interface DiaryViewProps {
  userId: string;
  /** Dog names by ID. Deleted dogs are missing. */
  dogNames: ReadonlyMap<string, string>;
}

export function DiaryView({ userId, dogNames }: DiaryViewProps) {
  const t = useT();
  const language = useLanguage();
  const { data } = useDiary(userId);
  const [deleting, setDeleting] = useState(false);
  const stamps = data && stampsOf(data);
  useAnnounce(stamps ? (stamps.length === 0 ? t('diaries.empty') : '') : null);
  if (!stamps) return <Skeleton height="12rem" />;
  const change = (next: (diary: Diary) => Diary) => void saveInDiary(userId, next).catch(showError);
  const share = async () => {
    const { locale, direction } = LANGUAGES[language];
    const there = [...new Set(stamps.flatMap(({ dogs }) => dogs))];
    const { diaryPicture } = await import('#/features/diaries/diary-picture.ts');
    const picture = await diaryPicture({
      title: t('diaries.title'),
      dogs: new Intl.ListFormat(locale, LIST).format(there.flatMap((id) => dogNames.get(id) ?? [])),
      stamps: stamps.map((stamp) => formatStamp(stamp, language)),
      direction,
    });
    await shareImage(picture, 'packpark-diary.png');
  };
  return (
    <div className="column-4">
      {stamps.length === 0 ? (
        <EmptyState
          text={t('diaries.empty')}
          action={<ButtonLink to="/parks">{t('ui.findPark')}</ButtonLink>}
        />
      ) : (
        <>
          <ul className="column-3">
            {stamps.map((stamp) => (
              <StampCard key={stamp.parkId} stamp={stamp} dogNames={dogNames} />
            ))}
          </ul>
          <Button variant="secondary" icon={Share2} onClick={() => void share().catch(showError)}>
            {t('diaries.share')}
          </Button>
        </>
      )}
      <Card as="section" className="column-3">
        <p>{t('diaries.where')}</p>
        <Switch
          label={t('diaries.stays')}
          checked={data.staysAfterLogout}
          onChange={(staysAfterLogout) => change((diary) => ({ ...diary, staysAfterLogout }))}
        />
        {stamps.length > 0 && (
          <Button variant="quiet" className="flush" icon={Trash2} onClick={() => setDeleting(true)}>
            {t('diaries.delete')}
          </Button>
        )}
      </Card>
      <ConfirmSheet
        open={deleting}
        onClose={() => setDeleting(false)}
        danger
        title={t('diaries.deleteTitle')}
        text={t('diaries.deleteText')}
        confirmLabel={t('diaries.delete')}
        onConfirm={() => {
          setDeleting(false);
          const since = new Date().toISOString();
          change((diary) => ({ ...diary, visits: [], met: {}, since }));
        }}
      />
    </div>
  );
}

const formatStamp = ({ parkId, parkName, firstAt }: Stamp, language: Language) => ({
  park: cachedParkName(parkId, language) ?? parkName,
  first: new Intl.DateTimeFormat(LANGUAGES[language].locale, DAY).format(new Date(firstAt)),
});

function StampCard({ stamp, dogNames }: { stamp: Stamp; dogNames: DiaryViewProps['dogNames'] }) {
  const t = useT();
  const language = useLanguage();
  const locale = useLocale();
  const list = new Intl.ListFormat(locale, LIST);
  const own = stamp.dogs.flatMap((id) => dogNames.get(id) ?? []);
  const friends = stamp.friends.map(({ name }) => name);
  const { park, first } = formatStamp(stamp, language);
  return (
    <Card as="li" className={styles.stamp}>
      <span className={styles.paw}>
        <Icon of={PawPrint} size={28} />
      </span>
      <div className={styles.text}>
        <h2 className={styles.park}>
          <Link to="/parks/$parkId" params={{ parkId: stamp.parkId }}>
            <bdi>{park}</bdi>
          </Link>
        </h2>
        <p>{t('diaries.visits', { count: stamp.visits, date: first })}</p>
        {own.length > 0 && <p>{t('diaries.with', { names: list.format(own) })}</p>}
        {stamp.met > 0 && <p>{t('diaries.met', { count: stamp.met })}</p>}
        {friends.length > 0 && <p>{t('diaries.friends', { names: list.format(friends) })}</p>}
      </div>
    </Card>
  );
}
