import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import classes from './conversation.module.css';
import { t } from './t.ts';
import { uploadAll } from './uploads.ts';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** Uploads files dropped anywhere on the conversation. */
export const FileDrop = ({ chatId, children }: { chatId: string; children: ReactNode }) => {
  const [isOver, setOver] = useState(false);
  // `dragenter` of a child fires before `dragleave` of its parent.
  const depth = useRef(0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in the composer does the same by keyboard.
    <div
      className={classes.main}
      onDragEnter={(event) => {
        if (!hasFiles(event)) return;
        depth.current++;
        setOver(true);
      }}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDragLeave={() => {
        depth.current = Math.max(0, depth.current - 1);
        if (depth.current === 0) setOver(false);
      }}
      onDrop={(event) => {
        depth.current = 0;
        setOver(false);
        if (!hasFiles(event)) return;
        event.preventDefault();
        uploadAll(chatId, event.dataTransfer.files);
      }}
    >
      {children}
      {isOver && <div className={classes.drop}>{t('dropToSend')}</div>}
    </div>
  );
};
