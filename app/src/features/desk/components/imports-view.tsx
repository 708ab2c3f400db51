// Imports of parks: chooses a file, shows its report with a map, and undoes imports.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { importParks, undoImport, UnreadableFileError } from '#/features/desk/commands/imports.ts';
import { type Decisions, ImportReportView } from '#/features/desk/components/import-report.tsx';
import {
  IMPORT_COMMAND,
  ImportForm,
  type ImportOptions,
} from '#/features/desk/components/import-form.tsx';
import { fill, useDeskText } from '#/features/desk/desk-text.ts';
import { importsQueryOptions } from '#/features/desk/queries/desk.ts';
import { useAct } from '#/features/desk/use-act.ts';
import { useTimeFormat } from '#/features/desk/use-date-format.ts';
import { getConfig } from '#/platform/config.ts';
import { Button } from '#/ui/button.tsx';
import { Chip } from '#/ui/chip.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { showError } from '#/ui/toast.ts';
import type { ImportReport, ImportStep } from '../../../../../shared/import-report.ts';
import styles from './desk.module.css';

export default function ImportsView() {
  const text = useDeskText();
  const client = useQueryClient();
  const [undoing, setUndoing] = useState<string | null>(null);
  const { busy, act } = useAct();
  return (
    <div className={styles.stack}>
      {getConfig().hostPages ? (
        <NewImport onUndo={setUndoing} />
      ) : (
        <p>
          {text.imports.elsewhere} <code dir="ltr">{IMPORT_COMMAND}</code>
        </p>
      )}
      <Imports busy={busy} onUndo={setUndoing} />
      <ConfirmSheet
        open={undoing !== null}
        title={text.acts.undo}
        text={text.imports.undoAbout}
        confirmLabel={text.acts.undo}
        onClose={() => setUndoing(null)}
        onConfirm={() => {
          const id = undoing ?? '';
          setUndoing(null);
          void act(async () => {
            const counts = await undoImport(id);
            await client.invalidateQueries(importsQueryOptions());
            return counts ? fill(text.imports.undone, counts) : text.acts.notUndone;
          });
        }}
      />
    </div>
  );
}

interface Result {
  file: File;
  options: ImportOptions;
  step: ImportStep;
  report: ImportReport;
}

function NewImport({ onUndo }: { onUndo: (id: string) => void }) {
  const client = useQueryClient();
  const { data: imports = [] } = useQuery(importsQueryOptions());
  const [result, setResult] = useState<Result | null>(null);
  const [decisions, setDecisions] = useState<Decisions>({});
  /** The running import step; null if none is running. */
  const [running, setRunning] = useState<ImportStep | null>(null);
  /** The host's reason why it cannot read the file, in English. */
  const [problem, setProblem] = useState<string | null>(null);
  const shown = useRef<HTMLHeadingElement>(null);
  useEffect(() => shown.current?.focus(), [result]);

  async function run(step: ImportStep, file: File, options: ImportOptions, decided: Decisions) {
    if (running !== null) return;
    setRunning(step);
    setProblem(null);
    try {
      const { same, others } = splitDecisions(decided);
      const request = { ...options, step, file: file.name, same, new: others };
      const report = await importParks(file, request);
      setResult({ file, options, step, report });
      setDecisions(decided);
      if (report.written) void client.invalidateQueries();
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) return showError(error);
      setResult(null);
      setProblem(error.message);
    } finally {
      setRunning(null);
    }
  }

  return (
    <>
      <ImportForm
        problem={problem}
        running={running}
        onChange={() => setProblem(null)}
        onImport={(step, file, options) =>
          void run(step, file, options, file === result?.file ? decisions : {})
        }
      />
      {result && (
        <ImportReportView
          ref={shown}
          fileName={result.file.name}
          step={result.step}
          report={result.report}
          decisions={decisions}
          running={running}
          canUndo={imports.some((one) => one.id === result.report.id && one.can_undo)}
          onDecide={setDecisions}
          onImport={(step) => void run(step, result.file, result.options, decisions)}
          onUndo={onUndo}
        />
      )}
    </>
  );
}

function splitDecisions(decisions: Decisions) {
  const all = Object.entries(decisions);
  return {
    same: Object.fromEntries(
      all.flatMap(([ref, park]) => (park === 'new' ? [] : [[ref, Number(park)] as const])),
    ),
    others: all.flatMap(([ref, park]) => (park === 'new' ? [ref] : [])),
  };
}

function Imports({ busy, onUndo }: { busy: boolean; onUndo: (id: string) => void }) {
  const text = useDeskText();
  const formatTime = useTimeFormat();
  const { data = [] } = useQuery(importsQueryOptions());
  if (data.length === 0) return null;
  return (
    <section>
      <h2 className={styles.label}>{text.imports.list}</h2>
      <ul className="grid-2">
        {data.map((one) => (
          <li key={one.id} className={styles.line}>
            <time className="soft" dateTime={one.imported_at}>
              {formatTime(one.imported_at)}
            </time>
            <bdi>{one.file}</bdi>
            <span className="soft">
              {fill(text.imports.counts, { added: one.added, changed: one.changed })}
            </span>
            {one.undone_at !== null && <Chip>{text.item.revoked}</Chip>}
            {one.can_undo && (
              <Button variant="secondary" disabled={busy} onClick={() => onUndo(one.id)}>
                {text.acts.undo}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
