type Properties = Record<string, Record<string, unknown>>;

export const mergeProperties = (current: Properties, added: Properties): Properties => {
  const merged = { ...current };
  for (const [namespace, values] of Object.entries(added)) merged[namespace] = { ...merged[namespace], ...values };
  return merged;
};

export const removeProperties = (current: Properties, names: Record<string, string[]>): Properties => {
  const rest: Properties = {};
  for (const [namespace, values] of Object.entries(current)) {
    const remaining = Object.entries(values).filter(([name]) => !names[namespace]?.includes(name));
    if (remaining.length > 0) rest[namespace] = Object.fromEntries(remaining);
  }
  return rest;
};
