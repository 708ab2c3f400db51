// Two switches about my dogs that stay on this device.
import { useState } from 'react';
import { DOGS_NOW, dogsNow, saveDogsNow } from '#/entities/dogs/dogs-now.ts';
import { useT } from '#/i18n/i18n.ts';
import { Switch } from '#/ui/checkbox.tsx';

export function DogsNowSwitches() {
  const t = useT();
  const [now, setNow] = useState(dogsNow);
  return DOGS_NOW.map((each) => (
    <Switch
      key={each}
      label={t(`dogs.now.${each}`)}
      hint={t(`dogs.now.${each}Hint`)}
      checked={now[each]}
      onChange={(on) => {
        const next = { ...now, [each]: on };
        saveDogsNow(next);
        setNow(next);
      }}
    />
  ));
}
