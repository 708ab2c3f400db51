// The secrets of messages that this browser sent from tags, with which only it reads the answers.
const keyOf = (code: string) => `tag/${code}`;

export function sentSecret(code: string): string | null {
  try {
    return localStorage.getItem(keyOf(code));
  } catch {
    return null;
  }
}

export function storeSecret(code: string, secret: string): void {
  try {
    localStorage.setItem(keyOf(code), secret);
  } catch (error) {
    console.warn('The answer cannot be read after this page is closed:', error);
  }
}
