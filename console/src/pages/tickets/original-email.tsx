import { t } from './t.ts';
import classes from './ticket.module.css';

/** Blocks remote content, so senders do not learn that the email is read. The sandboxed frame runs no scripts. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

export const wrapHtml = (html: string): string =>
  `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>Email</title></head><body>${html}</body></html>`;

/** A formatted email in a sandboxed frame without scripts, remote images or cookies. */
export const OriginalEmail = ({ html }: { html: string }) => (
  <iframe className={classes.mail} title={t('originalEmail')} sandbox="" srcDoc={wrapHtml(html)} />
);
