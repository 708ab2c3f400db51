// The captcha of hCaptcha or Turnstile, which have the same interface; the provider's script is loaded when a form first needs it.
import type { Config } from '#/platform/config-type.ts';

export type Captcha = NonNullable<Config['captcha']>;

interface CaptchaScript {
  render(box: HTMLElement, options: Record<string, unknown>): string | undefined;
  remove(widget: string): void;
}

type Globals = Record<string, unknown>;

const SCRIPTS: Record<Captcha['provider'], string> = {
  hcaptcha: 'https://js.hcaptcha.com/1/api.js',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
};
/** The name of the global function that both call once they are loaded. */
const READY = 'packparkCaptchaReady';

let loading: Promise<CaptchaScript> | null = null;

function load(provider: Captcha['provider'], language: string): Promise<CaptchaScript> {
  loading ??= new Promise<CaptchaScript>((resolve, reject) => {
    const globals = globalThis as unknown as Globals;
    globals[READY] = () => resolve(globals[provider] as CaptchaScript);
    const script = document.createElement('script');
    const query = new URLSearchParams({ render: 'explicit', onload: READY });
    // Turnstile takes its language with each widget.
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
 * Draws the widget into `box`.
 * @param onAnswer gets the captcha's token, and null once it has expired
 * @returns a function that takes it away
 * @throws when the provider cannot be reached
 */
export async function renderCaptcha(
  { provider, siteKey }: Captcha,
  box: HTMLElement,
  { language, theme }: { language: string; theme: 'light' | 'dark' },
  onAnswer: (answer: string | null) => void,
): Promise<() => void> {
  const script = await load(provider, language);
  const widget = script.render(box, {
    sitekey: siteKey,
    theme,
    ...(provider === 'turnstile' && { language }),
    callback: onAnswer,
    'expired-callback': () => onAnswer(null),
    'error-callback': () => onAnswer(null),
  });
  return () => {
    if (widget !== undefined) script.remove(widget);
  };
}
