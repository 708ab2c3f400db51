// The box in which the captcha's provider draws its widget; fetched only where a captcha is set.
import { useEffect, useRef, useState } from 'react';
import { type Captcha, renderCaptcha } from '#/features/auth/captcha.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { currentTheme } from '#/ui/theme/theme.ts';
import { FormProblem } from './form-problem.tsx';

export interface CaptchaWidgetProps {
  captcha: Captcha;
  /** Must be the same function each time: another one draws the widget anew. */
  onAnswer: (answer: string | null) => void;
}

export default function CaptchaWidget({ captcha, onAnswer }: CaptchaWidgetProps) {
  const t = useT();
  const language = useLanguage();
  const box = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    if (!box.current) return;
    let left = false;
    let takeAway = () => {};
    renderCaptcha(captcha, box.current, { language, theme: currentTheme() }, onAnswer).then(
      (remove) => {
        if (left) remove();
        else takeAway = remove;
      },
      () => {
        if (!left) setFailed(true);
      },
    );
    return () => {
      left = true;
      takeAway();
    };
  }, [captcha, language, onAnswer]);

  return (
    <>
      <div ref={box} />
      <FormProblem text={failed ? t('auth.captcha.unavailable') : null} />
    </>
  );
}
