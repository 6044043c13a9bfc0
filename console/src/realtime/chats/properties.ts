type Properties = Record<string, Record<string, unknown>>;

export const mergeProperties = (known: Properties, more: Properties): Properties => {
  const merged = { ...known };
  for (const [namespace, values] of Object.entries(more)) merged[namespace] = { ...merged[namespace], ...values };
  return merged;
};

export const removeProperties = (known: Properties, names: Record<string, string[]>): Properties => {
  const rest: Properties = {};
  for (const [namespace, values] of Object.entries(known)) {
    const kept = Object.entries(values).filter(([name]) => !names[namespace]?.includes(name));
    if (kept.length > 0) rest[namespace] = Object.fromEntries(kept);
  }
  return rest;
};
