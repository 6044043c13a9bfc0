/** `ticket` is the form for visitors when all agents are offline. */
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

/** Good or bad, with a comment if there is a label for it. */
export interface RatingField extends Question {
  type: 'rating';
  commentLabel?: string;
}

export type FormField = HeaderField | TextField | ChoiceField | GroupField | RatingField;

export interface Form {
  /** A changed form gets a new id, so that answers are never matched to other questions. */
  id: string;
  fields: FormField[];
}

export interface FormSetting {
  enabled: boolean;
  form: Form;
}
