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

export type BodyFormat = 'json' | 'form-or-json';

interface Check {
  (data: unknown): boolean;
  errors?: ErrorObject[] | null | undefined;
}

/** Compiles a schema when it is first used: compiling all of them would be a large part of the start. */
const compileLazily = (ajv: Ajv, schema: object): Check => {
  let compiled: Check | undefined;
  const check: Check = (data) => {
    compiled ??= ajv.compile(schema);
    const ok = compiled(data);
    check.errors = compiled.errors;
    return ok;
  };
  return check;
};

const toErrorObject = ({ field, message }: FieldError): ErrorObject => ({
  ...{ keyword: 'type', instancePath: `/${field.replaceAll('.', '/')}`, schemaPath: '', params: {}, message },
});

/** Coerces text to numbers and booleans in place. */
export const compileCoercing = (schema: object): Check => {
  const check = compileLazily(coercing, schema);
  const checkWithFlags: Check = (data) => {
    const read = readFlags(schema, data);
    const foreign = findCoercedNumber(schema, read);
    const ok = !foreign && check(read);
    checkWithFlags.errors = foreign ? [toErrorObject(foreign)] : check.errors;
    return ok;
  };
  return checkWithFlags;
};

export const useValidation = (app: FastifyInstance, format: BodyFormat): void => {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body' && format === 'json'
      ? compileLazily(exact, schema as object)
      : compileCoercing(schema as object),
  );
};

/** Checks a value against a schema without changing it. */
export const compileMatch = (schema: object): ((value: unknown) => boolean) => {
  const check = compileLazily(exact, schema);
  return (value) => check(value);
};

/** Validates a body that did not arrive over HTTP, with the same errors as Fastify. */
export const compileBody = (schema: object): ((value: unknown) => void) => {
  const check = compileLazily(exact, schema);
  return (value) => {
    if (!check(value)) throw Object.assign(new Error('The request is not valid'), { validation: check.errors });
  };
};

/** Checks responses in tests without changing them. */
export const compileResponseCheck = (schema: object) => {
  const check = compileLazily(exact, schema);
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
