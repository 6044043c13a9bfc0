import { describe, expect, it } from 'vitest';
import { versionedUrl } from './versions.ts';

const url = (path: string, version?: string | string[]) =>
  versionedUrl({ url: path, headers: version === undefined ? {} : { 'x-api-version': version } });

describe('versionedUrl', () => {
  it('adds the version of the header to an unversioned URL', () => {
    expect(url('/customer/action/get_chat?a=b', '3.5')).toBe('/v3.5/customer/action/get_chat?a=b');
    expect(url('/agent/rtm/ws', '3.4')).toBe('/v3.4/agent/rtm/ws');
  });

  it('uses no version without a valid header', () => {
    expect(url('/customer/action/get_chat')).toBe('/v0/customer/action/get_chat');
    expect(url('/customer/action/get_chat', '../../x')).toBe('/v0/customer/action/get_chat');
    expect(url('/customer/action/get_chat', ['3.5', '3.4'])).toBe('/v0/customer/action/get_chat');
  });

  it('leaves all other URLs unchanged', () => {
    for (const path of ['/', '/v3.5/customer/action/get_chat', '/customer', '/customers/action/x', '/status'])
      expect(url(path, '3.5')).toBe(path);
    expect(versionedUrl({ headers: {} })).toBe('/');
  });
});
