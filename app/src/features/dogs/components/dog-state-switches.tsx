// Two settings of the user's dogs that are stored only on this device.
import { useState } from 'react';
import { DOG_STATES, readDogStates, saveDogStates } from '#/entities/dogs/dog-states.ts';
import { useT } from '#/i18n/i18n.ts';
import { Switch } from '#/ui/checkbox.tsx';

export function DogStateSwitches() {
  const t = useT();
  const [now, setNow] = useState(readDogStates);
  return DOG_STATES.map((each) => (
    <Switch
      key={each}
      label={t(`dogs.now.${each}`)}
      hint={t(`dogs.now.${each}Hint`)}
      checked={now[each]}
      onChange={(on) => {
        const next = { ...now, [each]: on };
        saveDogStates(next);
        setNow(next);
      }}
    />
  ));
}
