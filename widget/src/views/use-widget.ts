import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Widget } from '../chat/create-widget.ts';

export const WidgetContext = createContext<Widget>(undefined as never);

export const useWidget = (): Widget => useContext(WidgetContext);
