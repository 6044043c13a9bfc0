/** Recognizable for those who know the client: `o***@s***.test`. */
export const maskEmail = (email: string): string => {
  const [name = '', domain = ''] = email.split('@');
  const end = domain.includes('.') ? domain.slice(domain.lastIndexOf('.')) : '';
  return `${[...name][0] ?? ''}***@${[...domain][0] ?? ''}***${end}`;
};
