import type { Greeting } from '#contracts/chat-ops/greetings.ts';
import { collectErrors, type FieldErrors, required } from '../../../editing/field-errors.ts';
import { checkRules, newRule, type RuleDraft, readRule, writeRule } from './rules.ts';

export interface GreetingDraft {
  name: string;
  group: number;
  active: boolean;
  message: string;
  rules: RuleDraft[];
}

export const newGreeting = (): GreetingDraft => ({
  name: '',
  group: 0,
  active: true,
  message: '',
  rules: [newRule()],
});

export const readGreeting = ({ name, group, active, properties, rules }: Greeting): GreetingDraft => ({
  ...{ name, group, active },
  message: properties['greeting-message_text'],
  rules: rules.map(readRule),
});

export const checkGreeting = ({ name, message, rules }: GreetingDraft): FieldErrors => ({
  ...collectErrors({ name: required(name), message: required(message) }),
  ...checkRules(rules),
});

export const writeGreeting = ({ name, message, rules }: GreetingDraft) => ({
  name: name.trim(),
  rules: rules.map(writeRule),
  properties: { 'greeting-message_text': message.trim() },
});
