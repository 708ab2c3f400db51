// A town's desk: hazards in its parks, its notices, and its decisions.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Megaphone } from 'lucide-react';
import { NoticeSheet } from '#/features/desk/components/notice-sheet.tsx';
import { TownMail } from '#/features/desk/components/town-mail.tsx';
import { fill, textOf, useDeskText } from '#/features/desk/desk-text.ts';
import { respondToHazard, undoForTown, withdrawNotice } from '#/features/desk/commands/town.ts';
import { townQueryOptions } from '#/features/desk/queries/town.ts';
import { useTimeFormat } from '#/features/desk/use-date-format.ts';
import { Button } from '#/ui/button.tsx';
import { Chip } from '#/ui/chip.tsx';
import { Loading } from '#/ui/fetch-failed.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import { Page } from '#/ui/page.tsx';
import { useNamedOverlay } from '#/ui/overlays.ts';
import { useAnnounce } from '#/ui/announcements.ts';
import { showError } from '#/ui/toast.ts';
import { useTask } from '#/ui/use-task.ts';
import styles from './desk.module.css';

export default function TownView() {
  const text = useDeskText();
  const formatTime = useTimeFormat();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(townQueryOptions());
  const { busy, run } = useTask<string>();
  const [posting, setPosting] = useNamedOverlay('notice');
  const again = () => client.invalidateQueries({ queryKey: townQueryOptions().queryKey });
  const button = (id: string, about: string, label: string, task: () => Promise<unknown>) => (
    <Button
      variant="secondary"
      aria-label={`${label}: ${about}`}
      busy={busy === `${id} ${label}`}
      disabled={busy !== null}
      onClick={() => run(`${id} ${label}`, () => task().catch(showError).then(again))}
    >
      {label}
    </Button>
  );
  const hazardAt = ({ hazard, park_name }: { hazard: string; park_name: string }) =>
    `${textOf(text.values, hazard)}, ${park_name}`;
  const parkLink = (id: number, name: string) => (
    <Link to="/parks/$parkId" params={{ parkId: id }}>
      <bdi>{name}</bdi>
    </Link>
  );
  useAnnounce(data ? (data.hazards.length === 0 ? text.queue.empty : '') : null);
  if (!data)
    return (
      <Page>
        <Loading error={error} refetch={refetch} height="20rem" />
      </Page>
    );
  return (
    <Page width="wide">
      <PageHeader title={<bdi>{data.town}</bdi>} subtitle={text.town.parks} />
      <div className="grid-5">
        <section className="grid-3" aria-label={text.town.hazards}>
          <h2 className={styles.label}>{text.town.hazards}</h2>
          {data.hazards.length === 0 && <p className="soft">{text.queue.empty}</p>}
          <ul className="grid-2">
            {data.hazards.map((item) => (
              <li key={item.id} className={styles.line}>
                <strong>{textOf(text.values, item.hazard)}</strong>
                {parkLink(item.park_id, item.park_name)}
                <span className="soft">
                  {fill(text.queue.since, { time: formatTime(item.reported_at) })}
                </span>
                {item.verified && <Chip tone="alert">{text.fields.verified}</Chip>}
                {item.in_hand ? (
                  <Chip tone="sky">{text.town.inHand}</Chip>
                ) : (
                  button(item.id, hazardAt(item), text.town.inHand, () =>
                    respondToHazard(item.id, false),
                  )
                )}
                {button(item.id, hazardAt(item), text.town.done, () =>
                  respondToHazard(item.id, true),
                )}
              </li>
            ))}
          </ul>
          <TownMail mail={data.mail} confirmed={data.mail_confirmed} onChanged={again} />
        </section>
        <section className="grid-3" aria-label={text.town.notices}>
          <h2 className={styles.label}>{text.town.notices}</h2>
          <ul className="grid-2">
            {data.notices.map((notice) => (
              <li key={notice.id} className={styles.line}>
                <strong>{text.town.types[notice.type]}</strong>
                {parkLink(notice.park_id, notice.park_name)}
                <span className="soft">
                  {formatTime(notice.starts_at)} – {formatTime(notice.ends_at)}
                </span>
                <bdi>{notice.text}</bdi>
                {button(
                  notice.id,
                  `${text.town.types[notice.type]}, ${notice.park_name}`,
                  text.town.withdraw,
                  () => withdrawNotice(notice.id),
                )}
              </li>
            ))}
          </ul>
          <Button
            icon={Megaphone}
            disabled={data.parks.length === 0}
            onClick={() => setPosting(true)}
          >
            {text.town.post}
          </Button>
        </section>
        <section className="grid-3" aria-label={text.town.parks}>
          <h2 className={styles.label}>{text.town.parks}</h2>
          <p className="soft">{text.town.facts}</p>
          <ul className="row-wrap-3">
            {data.parks.map(({ id, name }) => (
              <li key={id}>{parkLink(id, name)}</li>
            ))}
          </ul>
        </section>
        <section className="grid-3" aria-label={text.views.decisions}>
          <h2 className={styles.label}>{text.views.decisions}</h2>
          {data.decisions.length === 0 && <p className="soft">{text.decisions.empty}</p>}
          <ul className="grid-2">
            {data.decisions.map((one) => (
              <li key={one.id} className={styles.line}>
                <span>
                  <strong>{textOf(text.types, one.type)}</strong> <bdi>{one.park_name}</bdi>
                  {` · ${textOf(text.team.acts, one.decision)}`}
                  {one.undone_at && ` · ${text.item.revoked}`}
                </span>
                <time className="soft" dateTime={one.decided_at}>
                  {formatTime(one.decided_at)}
                </time>
                {!one.undone_at &&
                  button(
                    one.id,
                    `${textOf(text.types, one.type)}, ${one.park_name}`,
                    text.acts.undo,
                    () => undoForTown(one.id),
                  )}
              </li>
            ))}
          </ul>
        </section>
      </div>
      {posting && (
        <NoticeSheet
          parks={data.parks}
          onClose={() => setPosting(null)}
          onPosted={() => {
            setPosting(null);
            void again();
          }}
        />
      )}
    </Page>
  );
}
