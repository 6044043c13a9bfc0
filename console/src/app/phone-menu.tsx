import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { Icon } from '../design/icon.tsx';
import { t } from '../i18n/t.ts';

const PhoneDrawer = lazy(async () => ({ default: (await import('./phone-drawer.tsx')).PhoneDrawer }));

/** Opens what has no room in the bottom bar of a phone. The drawer is fetched when it is first opened. */
export const PhoneMenu = ({ className }: { className: string }) => {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [wasOpened, setWasOpened] = useState(false);
  const show = (): void => {
    setWasOpened(true);
    open();
  };
  return (
    <>
      <button type="button" className={className} onClick={show}>
        <Icon name="menu" />
        <span>{t('more')}</span>
      </button>
      {wasOpened && (
        <Suspense fallback={null}>
          <PhoneDrawer opened={isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  );
};
