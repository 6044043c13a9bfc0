import { t } from './t.ts';
import classes from './ticket.module.css';

/** Nothing is loaded, so that nobody learns that the mail is read; the frame lets no script run. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

export const wrapMail = (html: string): string =>
  `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>Email</title></head><body>${html}</body></html>`;

/** A mail with its formatting, in a room of its own without scripts, pictures from elsewhere, or our cookies. */
export const MailAsSent = ({ html }: { html: string }) => (
  <iframe className={classes.mail} title={t('originalEmail')} sandbox="" srcDoc={wrapMail(html)} />
);
