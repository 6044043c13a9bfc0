const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether the `Host` header names this machine or the public URL. Pages without a credential need this check: after DNS
 * rebinding, a page of another site can read everything under its own host name.
 */
export const isOwnHost = (host: string | undefined, publicUrl: string): boolean => {
  const name = URL.parse(`http://${host ?? ''}`)?.hostname;
  return name !== undefined && (LOOPBACK.test(name) || name === new URL(publicUrl).hostname);
};
