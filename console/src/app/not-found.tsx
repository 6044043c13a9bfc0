import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Empty } from '../design/states.tsx';

export const NotFound = () => (
  <main>
    <Empty
      title="There is nothing here"
      action={
        <Button component={Link} to="/chats" mt="xs">
          To the chats
        </Button>
      }
    >
      The address may be old, or mistyped.
    </Empty>
  </main>
);
