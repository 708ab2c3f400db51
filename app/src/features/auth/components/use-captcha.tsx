// The captcha of a form: whether its token is still missing, the token, and the widget to show.
import { type ReactNode, useCallback, useState } from 'react';
import { getConfig } from '#/platform/config.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import type { CaptchaWidgetProps } from './captcha-widget.tsx';

const CaptchaWidget = lazyPart<CaptchaWidgetProps>(() => import('./captcha-widget.tsx'));

interface FormCaptcha {
  /** Where no captcha is set, nothing ever is. */
  missing: boolean;
  answer: string | undefined;
  /** Call it when the token was sent: it is valid for one request. */
  spend: () => void;
  widget: ReactNode;
}

/** The captcha of one form, where the configuration names a provider. */
export function useCaptcha(): FormCaptcha {
  const { captcha } = getConfig();
  const [answer, setAnswer] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  const spend = useCallback(() => {
    setAnswer(null);
    setTurn((now) => now + 1);
  }, []);
  return {
    missing: Boolean(captcha) && answer === null,
    answer: answer ?? undefined,
    spend,
    widget: captcha ? <CaptchaWidget key={turn} captcha={captcha} onAnswer={setAnswer} /> : null,
  };
}
