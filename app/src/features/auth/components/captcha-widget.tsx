// The captcha of hCaptcha or Turnstile, which have the same interface. The provider's script is loaded when a form first needs it.
import { useEffect, useRef, useState } from 'react';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import type { Config } from '#/platform/config-type.ts';
import { currentTheme } from '#/ui/theme/theme.ts';
import { FormProblem } from './form-problem.tsx';

type Captcha = NonNullable<Config['captcha']>;

interface CaptchaScript {
  render(box: HTMLElement, options: Record<string, unknown>): string | undefined;
  remove(widget: string): void;
}

const SCRIPTS: Record<Captcha['provider'], string> = {
  hcaptcha: 'https://js.hcaptcha.com/1/api.js',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
};
/** The global function that the scripts of both providers call after loading. */
const READY = 'packparkCaptchaReady';

let loading: Promise<CaptchaScript> | null = null;

function load(provider: Captcha['provider'], language: string): Promise<CaptchaScript> {
  loading ??= new Promise<CaptchaScript>((resolve, reject) => {
    const globals = globalThis as unknown as Record<string, unknown>;
    globals[READY] = () => resolve(globals[provider] as CaptchaScript);
    const script = document.createElement('script');
    const query = new URLSearchParams({ render: 'explicit', onload: READY });
    // The language is a parameter of hCaptcha's script, but an option of each Turnstile widget.
    if (provider === 'hcaptcha') query.set('hl', language);
    script.src = `${SCRIPTS[provider]}?${query}`;
    script.async = true;
    script.onerror = () => {
      script.remove();
      loading = null;
      reject(new Error('The captcha could not be loaded'));
    };
    document.head.append(script);
  });
  return loading;
}

/**
 * @returns a function that removes the widget
 * @throws if the provider cannot be reached
 */
async function renderCaptcha(
  { provider, siteKey }: Captcha,
  box: HTMLElement,
  language: string,
  onAnswer: (answer: string | null) => void,
): Promise<() => void> {
  const script = await load(provider, language);
  const widget = script.render(box, {
    sitekey: siteKey,
    theme: currentTheme(),
    ...(provider === 'turnstile' && { language }),
    callback: onAnswer,
    'expired-callback': () => onAnswer(null),
    'error-callback': () => onAnswer(null),
  });
  return () => {
    if (widget !== undefined) script.remove(widget);
  };
}

interface CaptchaWidgetProps {
  captcha: Captcha;
  /** Receives the token, or null when it expires. Must be a stable function, because a new one re-renders the widget. */
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
    renderCaptcha(captcha, box.current, language, onAnswer).then(
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
