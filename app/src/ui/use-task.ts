// Runs a button's async action and shows its errors; `busy` is the name of the running action.
import { useState } from 'react';
import { showError } from '#/ui/toast.ts';

export function useTask<Name extends string>() {
  const [busy, setBusy] = useState<Name | null>(null);
  const run = (name: Name, work: () => Promise<unknown>) => {
    setBusy(name);
    void work()
      .catch(showError)
      .finally(() => setBusy(null));
  };
  return { busy, run };
}
