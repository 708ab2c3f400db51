// The device's own way to share a link, for the shells: Android's web view has no navigator.share.

export type ShareOutcome = 'shared' | 'cancelled' | 'failed';

/** Never throws. */
export async function shareNatively(link: {
  title: string;
  text: string;
  url: string;
}): Promise<ShareOutcome> {
  const { Share } = await import('@capacitor/share');
  try {
    await Share.share({ ...link, dialogTitle: link.title });
    return 'shared';
  } catch (error) {
    return error instanceof Error && /cancel/i.test(error.message) ? 'cancelled' : 'failed';
  }
}
