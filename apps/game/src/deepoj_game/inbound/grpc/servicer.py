"""The game service as everybody else sees it."""

from __future__ import annotations

import grpc

from deepoj_game.inbound.grpc.board_calls import BoardCalls, BoardUseCases
from deepoj_game.inbound.grpc.game_calls import GameCalls, GameUseCases
from deepoj_game.inbound.grpc.people_calls import PeopleCalls, PeopleUseCases
from deepoj_game.inbound.grpc.work_calls import WorkCalls, WorkUseCases
from deepoj_proto.game.v1.game_pb2_grpc import GameServiceServicer, add_GameServiceServicer_to_server


class GameServicer(GameCalls, PeopleCalls, BoardCalls, WorkCalls, GameServiceServicer):
    def __init__(
        self, games: GameUseCases, people: PeopleUseCases, boards: BoardUseCases, work: WorkUseCases
    ) -> None:
        self._games = games
        self._people = people
        self._boards = boards
        self._work = work


def register(server: grpc.aio.Server, servicer: GameServicer) -> None:
    add_GameServiceServicer_to_server(servicer, server)
