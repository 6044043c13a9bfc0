import type { GoalType } from '#server/storage/tables/goals.ts';
import { definedFields } from '../../defined-fields.ts';
import { invalid } from '../../errors.ts';
import { newShortId } from '../../ids.ts';
import type { GoalCondition, SalesTracker } from './find-reached-goals.ts';

/** The input for a goal; its type decides which fields apply. */
export interface GoalFields extends Partial<SalesTracker> {
  type?: GoalType | undefined;
  url?: string | undefined;
  matchType?: 'substring' | 'exact' | undefined;
  customVariableName?: string | undefined;
  customVariableValue?: string | undefined;
}

const MAX_CHARACTERS = 2048;

const required = (field: string, text: string | undefined): string => {
  if (text === undefined) throw invalid(field, 'is required');
  if (text.trim() === '' || text.length > MAX_CHARACTERS)
    throw invalid(field, `must have 1 to ${MAX_CHARACTERS} characters`);
  return text;
};

const readTracker = (fields: GoalFields): SalesTracker => {
  const { value, currency, timeRange, orderFieldName, valueFieldName } = fields;
  return {
    salesTrackerId: fields.salesTrackerId ?? newShortId(),
    valueType: fields.valueType ?? 'not_set',
    ...definedFields({ value, currency, timeRange, orderFieldName, valueFieldName }),
  };
};

/** Absent fields stay unchanged, unless the type of the goal changes. */
export const readCondition = (fields: GoalFields, before?: GoalCondition): GoalCondition => {
  const type = fields.type ?? before?.type;
  const all: GoalFields = { ...(before?.type === type ? before : {}), ...definedFields(fields) };
  switch (type) {
    case 'url':
      return { type, url: required('url', all.url), matchType: all.matchType ?? 'substring' };
    case 'custom_variable':
      return {
        type,
        customVariableName: required('custom_variable_name', all.customVariableName),
        customVariableValue: required('custom_variable_value', all.customVariableValue),
      };
    case 'sales_tracker':
      return { type, ...readTracker(all) };
    case 'api':
      return { type };
    case undefined:
      throw invalid('type', 'is required');
  }
};
