import { beep } from '#browser/beep.ts';
import type { Push } from '#contracts/chat/frames.ts';
import { t } from '../i18n/t.ts';
import { customerOf, isIn, nameOf } from '../realtime/chats/lists.ts';
import { currentChats, openChatId, ownLogin } from '../realtime/chats/store.ts';
import { onPushes } from '../realtime/live.ts';
import { notifySettings, VOLUME } from './notify-settings.ts';

interface Alert {
  chatId: string;
  title: string;
  body: string;
  isNewChat: boolean;
}

const alertOf = (push: Push, login: string): Alert | undefined => {
  if (push.action === 'incoming_chat') {
    const { chat, requester_id: requester } = push.payload;
    const own = chat.users.some(({ id, present }) => id === login && present);
    if (!own || requester === login) return undefined;
    return { chatId: chat.id, title: t('newChat'), body: nameOf(customerOf(chat)), isNewChat: true };
  }
  if (push.action === 'user_added_to_chat') {
    const { chat_id: chatId, user, requester_id: requester } = push.payload;
    if (user.id !== login || requester === login) return undefined;
    const chat = currentChats().get(chatId);
    return { chatId, title: t('newChat'), body: nameOf(chat && customerOf(chat)), isNewChat: true };
  }
  if (push.action !== 'incoming_event') return undefined;
  const { chat_id: chatId, event } = push.payload;
  const chat = currentChats().get(chatId);
  const customer = chat && customerOf(chat);
  if (!chat || !isIn(chat, login) || event.author_id !== customer?.id || event.type === 'system_message')
    return undefined;
  return { chatId, title: nameOf(customer), body: event.text ?? event.name ?? t('newMessage'), isNewChat: false };
};

const show = ({ chatId, title, body }: Alert, open: (chatId: string) => void): void => {
  const shown = new Notification(title, { body: body.slice(0, 200), tag: chatId });
  shown.onclick = () => {
    window.focus();
    open(chatId);
    shown.close();
  };
};

export const isPageFocused = (): boolean => !document.hidden && document.hasFocus();

/** Notifies the agent about chats that are not on screen: one sound per batch, one notification per chat. */
export const watchChats = (open: (chatId: string) => void): (() => void) =>
  onPushes((batch) => {
    const login = ownLogin();
    const alerts = batch.flatMap((push) => alertOf(push, login) ?? []);
    const unseen = alerts.filter(({ chatId }) => !isPageFocused() || chatId !== openChatId());
    if (unseen.length === 0) return;
    const { sound, popups } = notifySettings();
    if (sound) beep(VOLUME, ...(unseen.some(({ isNewChat }) => isNewChat) ? [660, 880] : [740]));
    if (!popups || isPageFocused() || !('Notification' in window) || Notification.permission !== 'granted') return;
    for (const alert of new Map(unseen.map((one) => [one.chatId, one])).values()) show(alert, open);
  });
