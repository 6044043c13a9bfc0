import { Ajv, type ErrorObject, type Options } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import type { FieldError } from '#server/domain/errors.ts';
import { readFlags } from './flags.ts';
import { findCoercedNumber } from './reject-coercions.ts';

const createAjv = (options: Options): Ajv => {
  const ajv = new Ajv({ useDefaults: true, discriminator: true, strict: false, allErrors: false, ...options });
  // ajv-formats is CommonJS: its function is the `default` export.
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  return ajv;
};

/**
 * `exact` is for JSON. `coercing` is for text that must become numbers and booleans, and for lists that arrive as a
 * single value.
 */
const exact = createAjv({ coerceTypes: false });
const coercing = createAjv({ coerceTypes: 'array' });

export type BodyDialect = 'json' | 'form-or-json';

interface Check {
  (data: unknown): boolean;
  errors?: ErrorObject[] | null | undefined;
}

const toErrorObject = ({ field, message }: FieldError): ErrorObject => ({
  ...{ keyword: 'type', instancePath: `/${field.replaceAll('.', '/')}`, schemaPath: '', params: {}, message },
});

/** Coerces text to numbers and booleans in place. */
export const compileCoercing = (schema: object): Check => {
  const check = coercing.compile(schema);
  const checkWithFlags: Check = (data) => {
    const read = readFlags(schema, data);
    const foreign = findCoercedNumber(schema, read);
    const ok = !foreign && check(read);
    checkWithFlags.errors = foreign ? [toErrorObject(foreign)] : check.errors;
    return ok;
  };
  return checkWithFlags;
};

export const useValidation = (app: FastifyInstance, dialect: BodyDialect): void => {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body' && dialect === 'json' ? exact.compile(schema as object) : compileCoercing(schema as object),
  );
};

/** Checks a value against a schema without changing it. */
export const compileMatch = (schema: object): ((value: unknown) => boolean) => {
  const check = exact.compile(schema);
  return (value) => check(value) === true;
};

/** Validates a body that did not arrive over HTTP, with the same errors as Fastify. */
export const compileBody = (schema: object): ((value: unknown) => void) => {
  const check = exact.compile(schema);
  return (value) => {
    if (!check(value)) throw Object.assign(new Error('The request is not valid'), { validation: check.errors });
  };
};

/** Checks responses in tests without changing them. */
export const compileResponseCheck = (schema: object) => {
  const check = exact.compile(schema);
  return (value: unknown): string | undefined =>
    check(value) ? undefined : exact.errorsText(check.errors, { dataVar: 'response' });
};

/** Describes a validation error: the field and what is wrong with it. */
export const describeValidationError = (error: ErrorObject): FieldError => {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const join = (name: string): string => (path ? `${path}.${name}` : name);
  switch (error.keyword) {
    case 'required':
      return { field: join(String(error.params.missingProperty)), message: 'is required' };
    case 'enum':
      return { field: path, message: `must be one of: ${(error.params.allowedValues as unknown[]).join(', ')}` };
    case 'discriminator':
      return { field: join(String(error.params.tag)), message: 'is missing or not a known value' };
    default:
      return { field: path || 'body', message: error.message ?? 'is not valid' };
  }
};
