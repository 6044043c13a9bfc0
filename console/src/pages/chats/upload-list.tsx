import { Button, Progress } from '@mantine/core';
import classes from './composer.module.css';
import { t } from './t.ts';
import { useUploads } from './uploads.ts';

export const UploadList = ({ chatId }: { chatId: string }) =>
  useUploads(chatId).map(({ id, name, done, failure, cancel, retry }) => (
    <div key={id} className={classes.upload} role="status">
      <span>{name}</span>
      {failure ? (
        <>
          <span style={{ color: 'var(--danger)' }}>{failure}</span>
          <Button size="compact-xs" variant="subtle" onClick={retry}>
            {t('tryAgain')}
          </Button>
        </>
      ) : (
        <Progress value={done * 100} w={120} aria-label={t('uploadingName', { name })} />
      )}
      <Button size="compact-xs" variant="subtle" color="gray" onClick={cancel}>
        {t('cancel')}
      </Button>
    </div>
  ));
