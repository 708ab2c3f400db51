// Chooses the file to import, and asks for information that the file itself lacks.
import { type SyntheticEvent, useState } from 'react';
import { MAX_SOURCE } from '#/features/desk/desk-limits.ts';
import { fill, useDeskText } from '#/features/desk/desk-text.ts';
import { Button } from '#/ui/button.tsx';
import { Checkbox } from '#/ui/checkbox.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { TextField } from '#/ui/text-field.tsx';
import {
  IMPORT_EXTENSIONS,
  MAX_IMPORT_BYTES,
  type ImportRequest,
  type ImportStep,
} from '../../../../../shared/import-report.ts';
import styles from './desk.module.css';

export const IMPORT_COMMAND = 'packpark import-parks';

export type ImportOptions = Omit<ImportRequest, 'step' | 'file' | 'same' | 'new'>;

interface ImportFormProps {
  /** The host's reason why it cannot read the file, in English. */
  problem: string | null;
  running: ImportStep | null;
  onChange: () => void;
  onImport: (step: ImportStep, file: File, options: ImportOptions) => void;
}

export function ImportForm({ problem, running, onChange, onImport }: ImportFormProps) {
  const text = useDeskText();
  const [file, setFile] = useState<File | null>(null);
  const [mapping, setMapping] = useState<File | null>(null);
  const [options, setOptions] = useState<ImportOptions>({ skipUnknown: false, pending: false });
  const [missing, setMissing] = useState<string | null>(null);
  const set = (changed: Partial<ImportOptions>) => {
    setOptions({ ...options, ...changed });
    onChange();
  };
  const field = (name: 'source' | 'licence' | 'city' | 'encoding' | 'crs') => ({
    maxLength: MAX_SOURCE,
    value: options[name] ?? '',
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  });

  async function start(step: ImportStep): Promise<void> {
    const wrong =
      file === null
        ? text.imports.noFile
        : file.size > MAX_IMPORT_BYTES
          ? fill(text.imports.tooLarge, { command: `\u2068${IMPORT_COMMAND}\u2069` })
          : null;
    setMissing(wrong);
    if (file === null || wrong !== null) return focusFirstProblem();
    onImport(step, file, { ...options, ...(mapping && { mapping: await mapping.text() }) });
  }

  return (
    <form
      noValidate
      className={styles.stack}
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        void start('import');
      }}
    >
      <TextField
        type="file"
        accept={IMPORT_EXTENSIONS.join()}
        label={text.imports.file}
        hint={text.imports.fileHint}
        error={missing}
        onChange={(event) => {
          setFile(event.target.files?.[0] ?? null);
          setMissing(null);
          onChange();
        }}
      />
      <div className={styles.fields}>
        <TextField
          label={text.imports.source}
          hint={text.imports.sourceHint}
          {...field('source')}
        />
        <TextField
          label={text.imports.licence}
          hint={text.imports.licenceHint}
          {...field('licence')}
        />
        <TextField label={text.imports.city} hint={text.imports.cityHint} {...field('city')} />
      </div>
      <details className={styles.unset}>
        <summary>{text.imports.more}</summary>
        <div className={styles.stack}>
          <Checkbox
            label={text.imports.pending}
            checked={options.pending}
            onChange={(pending) => set({ pending })}
          />
          <Checkbox
            label={text.imports.skipUnknown}
            checked={options.skipUnknown}
            onChange={(skipUnknown) => set({ skipUnknown })}
          />
          <div className={styles.fields}>
            <TextField
              type="file"
              accept=".json"
              label={text.imports.mapping}
              hint={text.imports.mappingHint}
              onChange={(event) => {
                setMapping(event.target.files?.[0] ?? null);
                onChange();
              }}
            />
            <TextField
              label={text.imports.encoding}
              hint={fill(text.imports.encodingHint, { example: 'windows-1252' })}
              {...field('encoding')}
            />
            <TextField
              label={text.imports.crs}
              hint={fill(text.imports.crsHint, { example: 'EPSG:2039' })}
              {...field('crs')}
            />
          </div>
        </div>
      </details>
      {problem !== null && (
        <div role="alert">
          <strong>{text.imports.unreadable}</strong>
          <p lang="en" dir="ltr">
            {problem}
          </p>
        </div>
      )}
      <div className="wrap-2">
        <Button type="submit" busy={running === 'import'}>
          {text.imports.import}
        </Button>
        <Button
          variant="secondary"
          busy={running === 'preview'}
          onClick={() => void start('preview')}
        >
          {text.imports.preview}
        </Button>
      </div>
    </form>
  );
}
