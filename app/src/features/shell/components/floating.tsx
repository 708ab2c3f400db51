// What floats above every screen: toasts and the notification pop-up.
import { PopupHost } from '#/ui/popup-host.tsx';
import { Toaster } from '#/ui/toaster.tsx';

export default function Floating() {
  return (
    <>
      <Toaster />
      <PopupHost />
    </>
  );
}
