// State of a form's captcha: the token, whether it is missing, and the widget.
import { useState } from 'react';
import { getConfig } from '#/platform/config.ts';
import { lazyPart } from '#/core/lazy-part.ts';

const CaptchaWidget = lazyPart(() => import('./captcha-widget.tsx'));

/**
 * If no provider is configured, the token is never missing. Call `spend` after sending the token, because each is valid for one
 * request.
 */
export function useCaptcha() {
  const { captcha } = getConfig();
  const [answer, setAnswer] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  const spend = () => {
    setAnswer(null);
    setTurn((now) => now + 1);
  };
  return {
    missing: Boolean(captcha) && answer === null,
    answer: answer ?? undefined,
    spend,
    widget: captcha ? <CaptchaWidget key={turn} captcha={captcha} onAnswer={setAnswer} /> : null,
  };
}
