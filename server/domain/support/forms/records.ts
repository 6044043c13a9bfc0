/** `ticket` is what a visitor fills in when nobody is there. */
export type FormType = 'prechat' | 'postchat' | 'ticket';

export interface FormOption {
  id: string;
  label: string;
}

export interface GroupOption extends FormOption {
  groupId: number;
}

interface Labelled {
  id: string;
  label: string;
}

export interface HeaderField extends Labelled {
  type: 'header';
}

interface Question extends Labelled {
  required: boolean;
}

export interface TextField extends Question {
  type: 'name' | 'email' | 'question' | 'subject' | 'textarea';
}

export interface ChoiceField extends Question {
  type: 'checkbox' | 'radio' | 'select';
  options: FormOption[];
}

export interface GroupField extends Question {
  type: 'group_chooser';
  options: GroupOption[];
}

/** Good or bad, and a comment when a label invites one. */
export interface RatingField extends Question {
  type: 'rating';
  commentLabel?: string;
}

export type FormField = HeaderField | TextField | ChoiceField | GroupField | RatingField;

export interface Form {
  /** A changed form gets a new id, so that answers are never read against questions nobody saw. */
  id: string;
  fields: FormField[];
}

export interface FormSetting {
  enabled: boolean;
  form: Form;
}
