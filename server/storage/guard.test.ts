import { describe, expect, it } from 'vitest';
import { assertOwned, PLATFORM_MARK, UnownedQueryError } from './guard.ts';
import { ownerColumns } from './tables/owners.ts';

const refused = (text: string) => expect(() => assertOwned(text), text).toThrow(UnownedQueryError);
const allowed = (text: string) => expect(() => assertOwned(text), text).not.toThrow();

describe.each(Object.entries(ownerColumns))('the guard on %s', (table, owner) => {
  it('rejects statements without the owner', () => {
    refused(`select * from ${table}`);
    refused(`select * from "${table}" where id = $1`);
    refused(`select ${owner} from ${table} order by ${owner}`);
    refused(`delete from ${table} where id = $1`);
    refused(`update ${table} set name = $1 where id = $2`);
    refused(`insert into ${table} (id, name) values ($1, $2)`);
    refused(`select o.* from organizations o join ${table} t on t.id = o.id`);
  });

  it('accepts statements with the owner', () => {
    allowed(`select * from ${table} where ${owner} = $1`);
    allowed(`select * from "${table}" where "${table}"."${owner}" = $1 and id = $2`);
    allowed(`delete from ${table} where ${table}.${owner} = $1`);
    allowed(`update ${table} set name = $1 where ${owner} = $2`);
    allowed(`insert into "${table}" ("id", "${owner}") values ($1, $2)`);
    allowed(`select * from ${table} as t where t.${owner} in ($1, $2)`);
  });
});

describe('the guard', () => {
  it.each([
    'select * from chats c where c.organization_id <> $1',
    'select * from chats c where c.organization_id is not null',
    'select * from chats c join events e on e.chat_id = c.id where c.organization_id = $1',
    'select * from chats c left join lateral (select * from events e where e.chat_id = c.id) x on true where c.organization_id = $1',
    'select * from chats where organization_id = $1 and id in (select chat_id from threads)',
    'with recent as (select * from events) select * from recent',
    'with gone as (delete from events where chat_id = $1 returning *) select * from gone',
    'select * from chats c, events e where c.organization_id = $1 and e.chat_id = c.id',
    'select * from chats c cross join events e where c.organization_id = $1',
    'delete from chats c using events e where c.organization_id = $1 and e.chat_id = c.id',
    'update chats c set active = false from threads t where t.chat_id = c.id and c.organization_id = $1',
    'update chats set organization_id = $1',
    'update chats c set active = false from threads t where t.organization_id = $1 and t.chat_id = c.id',
    'select * from public.chats',
    'select * from "public"."chats" where id = $1',
    'select * from only chats',
    'SELECT * FROM Chats',
    'insert into events select * from incoming',
    'insert into events default values',
    'truncate events',
    'truncate table chats, events',
  ])('rejects %s', refused);

  it.each([
    'select * from organizations',
    'select 1',
    'begin',
    'select * from chats c join events e on e.organization_id = c.organization_id and e.chat_id = c.id where c.organization_id = $1',
    'select * from chats c where (c.organization_id, c.id) in (select organization_id, chat_id from item)',
    'select * from chats c where (c.organization_id, c.id) = ($1, $2)',
    'select * from item i join chats c on (i.organization_id, i.chat_id) = (c.organization_id, c.id)',
    'with recent as (select * from events e where e.organization_id = $1) select * from recent',
    'update chats c set active = false from threads t where t.organization_id = c.organization_id and c.organization_id = $1',
    'delete from chats c using events e where c.organization_id = $1 and e.organization_id = c.organization_id',
    'select * from chats c, events e where c.organization_id = $1 and e.organization_id = c.organization_id',
    'select extract(epoch from created_at), greatest(a, b) from chats where organization_id = $1',
    'insert into chat_users as u (organization_id, chat_id) values ($1, $2) on conflict do update set present = true',
    'select * from chats where organization_id = $1 order by id for no key update',
    'select chats_active, agents_total from numbers',
  ])('accepts %s', allowed);

  it('accepts marked platform queries without an owner', () => {
    allowed(`${PLATFORM_MARK} select * from agents where api_key_hash = $1`);
    refused(`select * from agents where api_key_hash = $1 ${PLATFORM_MARK}`);
  });

  it('names the table and the missing column', () => {
    expect(() => assertOwned('select * from partner_tokens')).toThrow(/partner_tokens .*\(partner_id\)/);
  });
});
