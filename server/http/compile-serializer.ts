import buildSerializer from 'fast-json-stringify';

type Serialize = (value: unknown) => string;

const serializers = new WeakMap<object, Serialize>();

const serializerOf = (schema: object): Serialize => {
  const existing = serializers.get(schema);
  if (existing) return existing;
  const serialize = buildSerializer(schema) as Serialize;
  serializers.set(schema, serialize);
  return serialize;
};

/** Compiles the serializer of a response when one is first sent: compiling all of them would be a large part of the start. */
export const compileSerializer = ({ schema }: { schema: unknown }): Serialize => {
  let serialize: Serialize | undefined;
  return (value) => {
    serialize ??= serializerOf(schema as object);
    return serialize(value);
  };
};
