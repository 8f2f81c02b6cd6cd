// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Signatures} from "./Signatures.sol";
import {OPERATOR, SIGNED_CHAIN_ID} from "./Venue.sol";

struct Call {
    address target;
    uint256 value;
    bytes data;
}

struct Batch {
    address wallet;
    uint256 nonce;
    uint256 deadline;
    Call[] calls;
}

/// A wallet whose owner signs and whose factory carries out. It is reached through a minimal ERC-1967 proxy, whose code
/// ends with the factory and the owner.
contract DepositWallet {
    bytes4 private constant ACCEPTED = 0x1626ba7e;
    bytes4 private constant REFUSED = 0xffffffff;
    uint256 private constant LONGEST_VALIDITY_S = 300;
    /// 61 bytes of proxy, then two words.
    uint256 private constant PROXY_BYTES = 125;
    /// Signature, domain and contents before the description of the contents; its length after it.
    uint256 private constant NESTED_BYTES = 65 + 32 + 32 + 2;

    bytes32 private constant NAME = keccak256("DepositWallet");
    bytes32 private constant VERSION = keccak256("1");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant CALL_TYPEHASH = keccak256("Call(address target,uint256 value,bytes data)");
    bytes32 private constant BATCH_TYPEHASH =
        keccak256("Batch(address wallet,uint256 nonce,uint256 deadline,Call[] calls)Call(address target,uint256 value,bytes data)");

    uint256 public nonce;

    event Executed(uint256 indexed nonce);

    /// `nowS` is the venue's time, which is not that of the chain's blocks when a test moves it.
    function execute(Batch calldata batch, bytes calldata signature, uint256 nowS) external {
        (address factory, address owner_) = parties();
        require(msg.sender == factory, "DepositWallet: only the factory");
        require(batch.wallet == address(this), "DepositWallet: batch of another wallet");
        require(batch.nonce == nonce, "DepositWallet: invalid nonce");
        require(batch.deadline >= nowS, "DepositWallet: expired");
        require(batch.deadline <= nowS + LONGEST_VALIDITY_S, "DepositWallet: deadline too far");
        address signer = Signatures.signerOf(digestOf(batch), signature);
        require(signer != address(0) && signer == owner_, "DepositWallet: invalid signature");
        nonce++;
        for (uint256 i = 0; i < batch.calls.length; i++) run(batch.calls[i]);
        emit Executed(batch.nonce);
    }

    function owner() external view returns (address owner_) {
        (, owner_) = parties();
    }

    /// EIP-1271 with the nested typed data of ERC-7739: the owner signs the contents together with this wallet's domain,
    /// so a signature for one wallet is none for another wallet of the same owner.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length <= NESTED_BYTES) return REFUSED;
        uint256 described = uint16(bytes2(signature[signature.length - 2:]));
        if (signature.length != NESTED_BYTES + described) return REFUSED;
        bytes32 appDomain = bytes32(signature[65:97]);
        bytes32 contents = bytes32(signature[97:129]);
        if (hash != typedDigest(appDomain, contents)) return REFUSED;
        bytes32 typehash = nestedTypehash(signature[129:129 + described]);
        if (typehash == 0) return REFUSED;
        bytes32 nested = keccak256(abi.encode(typehash, contents, NAME, VERSION, SIGNED_CHAIN_ID, address(this), bytes32(0)));
        (, address owner_) = parties();
        address signer = Signatures.signerOf(typedDigest(appDomain, nested), signature[:65]);
        return signer != address(0) && signer == owner_ ? ACCEPTED : REFUSED;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC1155Received.selector;
    }

    function run(Call calldata each) private {
        (bool succeeded, bytes memory answer) = each.target.call{value: each.value}(each.data);
        if (succeeded) return;
        assembly ("memory-safe") {
            revert(add(answer, 32), mload(answer))
        }
    }

    /// Zero for both where this code is not behind a proxy of the factory.
    function parties() private view returns (address factory, address owner_) {
        bytes memory code = address(this).code;
        if (code.length != PROXY_BYTES) return (address(0), address(0));
        assembly ("memory-safe") {
            factory := mload(add(code, 93))
            owner_ := mload(add(code, 125))
        }
    }

    function digestOf(Batch calldata batch) private view returns (bytes32) {
        bytes32[] memory calls = new bytes32[](batch.calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            Call calldata each = batch.calls[i];
            calls[i] = keccak256(abi.encode(CALL_TYPEHASH, each.target, each.value, keccak256(each.data)));
        }
        bytes32 listed = keccak256(abi.encodePacked(calls));
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPEHASH, NAME, VERSION, SIGNED_CHAIN_ID, address(this)));
        return typedDigest(domain, keccak256(abi.encode(BATCH_TYPEHASH, batch.wallet, batch.nonce, batch.deadline, listed)));
    }

    function typedDigest(bytes32 domain, bytes32 structHash) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    /// `description` is the type of the contents, such as `Order(uint256 salt)`. Zero where it names no type.
    function nestedTypehash(bytes calldata description) private pure returns (bytes32) {
        uint256 length = 0;
        while (length < description.length && description[length] != "(") {
            bytes1 each = description[length++];
            if (each == 0 || each == " " || each == "," || each == ")") return 0;
        }
        if (length == 0 || length == description.length) return 0;
        // The names of atomic types begin with a small letter.
        if (description[0] >= "a" && description[0] <= "z") return 0;
        return keccak256(
            abi.encodePacked(
                "TypedDataSign(",
                description[:length],
                " contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)",
                description
            )
        );
    }
}

/// Makes deposit wallets where the venue's clients expect them (CREATE2), and hands them what their owners signed.
contract DepositWalletFactory {
    address private constant IMPLEMENTATION = 0x58CA52ebe0DadfdF531Cde7062e76746de4Db1eB;

    modifier onlyOperator() {
        require(msg.sender == OPERATOR, "DepositWalletFactory: only the operator");
        _;
    }

    function deploy(address owner) external onlyOperator returns (address wallet) {
        bytes memory parties = abi.encode(address(this), bytes32(uint256(uint160(owner))));
        // The minimal ERC-1967 proxy: it writes the implementation to its slot, then returns 61 bytes and `parties`.
        bytes memory creation = abi.encodePacked(
            hex"61007d3d8160233d3973",
            IMPLEMENTATION,
            hex"6009",
            hex"5155f3363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076",
            hex"cc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3",
            parties
        );
        bytes32 salt = keccak256(parties);
        assembly ("memory-safe") {
            wallet := create2(0, add(creation, 32), mload(creation), salt)
        }
        require(wallet != address(0), "DepositWalletFactory: not deployed");
    }

    function execute(Batch calldata batch, bytes calldata signature, uint256 nowS) external onlyOperator {
        require(batch.wallet.code.length > 0, "DepositWalletFactory: wallet not deployed");
        DepositWallet(batch.wallet).execute(batch, signature, nowS);
    }
}
